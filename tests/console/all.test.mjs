// All tests of the pages, on one cluster and in one browser.
import './fly.test.mjs';
import './world.test.mjs';
import './lens.test.mjs';
import './pages.test.mjs';
