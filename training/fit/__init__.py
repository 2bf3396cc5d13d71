"""Chooses the data that recall ships: the weights of the measures, and the model that estimates evidence."""
