"""Parts of the bench of seeking: the demo's clock, its site, players, moments and the page in browsers."""
