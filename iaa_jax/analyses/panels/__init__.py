"""Coefficients of every panel of annotators, and of panels in which somebody is replaced."""
