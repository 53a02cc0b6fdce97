"""How an episode is played: session, driver, workers, pool."""
