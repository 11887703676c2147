"""Parts of benches that play a script to live cameras: the site, the script, the rules by which it is judged."""
