"""What is retained under corruption (NavTrust), and requirements on it."""
