import { takeToken } from './api/token.js';
import './app/console_app.js';
import { route } from './app/route.js';
import { live } from './app/state.js';
import { begin } from './hooks.js';
import './theme.css';

takeToken();
begin();
route.begin();
void live.connect();
