/** Component types as named by the public service: the last part of `rdk:component:…`. */
const COMPONENTS = [
  'arm',
  'audio_in',
  'audio_out',
  'base',
  'board',
  'button',
  'camera',
  'encoder',
  'gantry',
  'generic',
  'gripper',
  'input_controller',
  'motor',
  'movement_sensor',
  'pose_tracker',
  'power_sensor',
  'sensor',
  'servo',
  'switch',
] as const;

/** Service types: the last part of `rdk:service:…`. */
const SERVICES = [
  'base_remote_control',
  'data_manager',
  'discovery',
  'generic',
  'mlmodel',
  'motion',
  'navigation',
  'shell',
  'slam',
  'video',
  'vision',
  'world_state_store',
] as const;

/** APIs that the machine software knows. Modules can also define their own APIs. */
export const KNOWN_APIS: readonly string[] = [
  ...COMPONENTS.map((name) => `rdk:component:${name}`),
  ...SERVICES.map((name) => `rdk:service:${name}`),
];
