"""A figure on the screen: the picture and the sliders that change it."""
