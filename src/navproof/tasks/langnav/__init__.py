"""LangNav: several goals in words, one after the other."""
