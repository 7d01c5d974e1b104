/** Messages of proto/ in their JSON form, as the console sends them; 64-bit integers are texts. */

export interface Vector {
  x: number;
  y: number;
  z: number;
}

export interface Worker {
  slot: number;
  name: string;
  fabricAddress: string;
  grpcAddress: string;
  handleBase: number;
  handleCount: number;
  alive: boolean;
  incarnation: number;
  draining: boolean;
  entities?: number;
  players?: number;
  loadMs?: number;
  overheadMs?: number;
  standby?: number;
  standbyInSync: boolean;
  level?: string;
  tickP99Ms?: number;
  lateMs?: number;
  largestIslandMs?: number;
  build: string;
}

export interface Gateway {
  slot: number;
  name: string;
  publicUdpAddress: string;
  alive: boolean;
  build: string;
}

export interface Region {
  region: number;
  epoch: number;
  low: Vector;
  high: Vector;
  owner?: number;
  costMs: number;
  entities: number;
  away: number;
  changing: boolean;
}

export interface TimeSegment {
  wallUs: string;
  tick: number;
  tickRateHz: number;
  ratePpm: number;
}

export interface FailoverRecord {
  handleBase: number;
  successor: number;
  epoch: number;
  crashes: number;
  crashingSinceUs: string;
  copied: boolean;
}

export interface RefusedMember {
  name: string;
  why: string;
  agoS: number;
}

export interface ClusterMap {
  clusterId: number;
  version: string;
  time: TimeSegment[];
  workers: Worker[];
  gateways: Gateway[];
  regions: Region[];
  balance: boolean;
  ratePercent?: number;
  failoverRecords: FailoverRecord[];
  refused: RefusedMember[];
}

export interface EntityCount {
  kind: string;
  count: number;
  ghosts: number;
}

export interface WorkerStatus {
  name: string;
  slot: number;
  regions: { region: number; epoch: number }[];
  tick: number;
  tickLagUs: string;
  players: number;
  entities: EntityCount[];
  tickP50Us: number;
  tickP99Us: number;
  overruns: string;
  inputsLate: string;
  mapVersion: string;
  incarnations: number[];
  groupsInDoubt: number;
}

export interface Kind {
  name: string;
  motion: 'MOTION_STATIC' | 'MOTION_BODY' | 'MOTION_ACTOR' | 'MOTION_TIMELINE';
  lowM: number[];
  highM: number[];
}

/** Of proto/gateway.proto: the figures of a client's last report. */
export interface ReportedPlayer {
  clientId: string;
  sessionS: number;
  silentS: number;
  rttUs: number;
  jitterUs: number;
  lossPermille: number;
  leadUs: number;
  inputToDisplayUs: number;
  receivedBytesPerS: number;
  corrections: string;
  largestCorrectionMm: number;
}

export interface PlayersReport {
  players: ReportedPlayer[];
  leftOut: number;
}

export interface SessionInfo {
  clientId: string;
  playerName: string;
  gatewayAddress: string;
  region: number;
  loggedInUnixS: string;
  state: string;
  seenUnixS: string;
}

export interface TechniquesInUse {
  clientId: string;
  playerName: string;
  techniques: string;
}

export interface ArmedPlayer {
  clientId: string;
  avatar: string;
  ticks: number;
  forS: number;
  left: boolean;
}

export interface FlightFile {
  name: string;
  bytes: string;
  changedUnixS: string;
}

/** ListRecordingsReply of proto/sim.proto. */
export interface WorkerRecordings {
  worker: string;
  recorders: number;
  armed: ArmedPlayer[];
  files: FlightFile[];
}

/** A line of the audit log. */
export interface AuditEntry {
  unix_ms: number;
  /** Name of the operator, or that there was no token. */
  who: string;
  act: string;
  /** Text, if it was not JSON or is too long. */
  request: object | string;
  /** Of gRPC; "OK": done. */
  result: string;
  message?: string;
}

export interface Hello {
  build: string;
  mayAct: boolean;
  /** Name of the operator whose token this page has; empty: it has none. */
  operator: string;
  /** "read", "players", "map", "players,map" as "all". */
  scopes: string;
  /** The scope that each act needs. */
  acts: Record<string, string>;
}
