"""Founders of Gloomhaven (Isaac Childres, 2018)."""
