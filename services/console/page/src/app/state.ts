/** What all pages share. */
import { Live } from '../api/live.js';
import { Cluster } from '../model/cluster.js';
import { Entities } from '../model/entities.js';
import { Players } from '../model/players.js';

export const cluster = new Cluster();
export const entities = new Entities();
export const players = new Players();
export const live = new Live(cluster, entities, players);
