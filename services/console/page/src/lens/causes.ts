/** Causes of corrections: their names are those of docs/feel.md. */

export interface Cause {
  title: string;
  color: string;
  sentence: string;
}

const causes: Record<string, Cause> = {
  input_lost: { title: 'Input lost', color: '#f2757a', sentence: 'An input never arrived: the server guessed it.' },
  input_late: { title: 'Input late', color: '#f0955c', sentence: 'An input arrived after its tick was final.' },
  stale_object: { title: 'Stale object', color: '#e8c468', sentence: 'A moving object was known at an older version.' },
  not_streamed: { title: 'Not streamed', color: '#c9a2ff', sentence: 'The client did not know an obstacle at all.' },
  hit_animated_body: { title: 'Hit a body', color: '#f59ac0', sentence: 'The player touched a body that clients do not predict.' },
  parent_switch: { title: 'Parent switch', color: '#7fb2ff', sentence: 'The parent changed at another tick than predicted.' },
  rotating_frame: { title: 'Rotating frame', color: '#5fd4cf', sentence: 'The parent turned otherwise than extrapolated.' },
  constraint: { title: 'Constraint', color: '#a9cf76', sentence: 'The player is part of a chain of bodies.' },
  controller_state: { title: 'Controller state', color: '#8f9bff', sentence: 'Hidden state of the controller differed.' },
  clock_step: { title: 'Clock step', color: '#b9c3d4', sentence: 'The clock jumped.' },
  migration: { title: 'Migration', color: '#6fc3ee', sentence: 'The owner changed.' },
  server_override: { title: 'Server override', color: '#d59ce6', sentence: 'The server moved the player: respawn, reset, teleport.' },
  residual: {
    title: 'Residual', color: '#f4f7fc',
    sentence: 'No input to any tick explains it: the predicted state itself was changed, as the key E does, or rounding differed.',
  },
  unknown: { title: 'Unknown', color: '#7d8aa3', sentence: 'Not analyzed.' },
};

export function causeOf(name: string | undefined): Cause {
  return causes[name ?? 'unknown'] ?? { title: name!, color: '#7d8aa3', sentence: '' };
}
