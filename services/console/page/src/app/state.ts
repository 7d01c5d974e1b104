/** What all pages share. */
import { Live } from '../api/live.js';
import { Cluster } from '../model/cluster.js';
import { Entities } from '../model/entities.js';
import { PlayerHistory } from '../model/player_history.js';

export const cluster = new Cluster();
export const entities = new Entities();
export const live = new Live(cluster, entities);
export const playerHistory = new PlayerHistory(cluster);
