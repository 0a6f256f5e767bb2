"""Sample runs: small stories that show what the dashboard can tell, and the script that writes them."""
