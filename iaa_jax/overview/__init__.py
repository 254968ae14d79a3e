"""Is agreement good enough, where is it lost, and what is next? All questions in one report."""
