"""Files for other programs: video that browsers play, recordings for the Rerun viewer."""
