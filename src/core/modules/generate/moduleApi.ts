import type { JsonObject } from '@bufbuild/protobuf';

/** Language in which a module can be generated. */
export type ModuleLanguage = 'typescript' | 'python';

/**
 * Keys of the APIs that a generated module can serve, which are the names of their template
 * folders.
 */
const MODULE_API_KEYS = [
  'sensor',
  'camera',
  'motor',
  'base',
  'movementSensor',
  'servo',
  'switch',
  'button',
  'encoder',
  'powerSensor',
  'gripper',
  'gantry',
  'arm',
  'poseTracker',
  'inputController',
  'board',
  'audioIn',
  'audioOut',
  'vision',
  'mlModel',
  'motion',
  'navigation',
  'slam',
  'worldStateStore',
  'discovery',
  'genericComponent',
  'genericService',
] as const;

export type ModuleApiKey = (typeof MODULE_API_KEYS)[number];

/** Attribute in a generated model's config. */
interface ExampleAttribute {
  readonly example: JsonObject[string];
  /** Description in the module's README, in English like all generated text. */
  readonly description: string;
}

/** API that a generated module can serve. */
export interface ModuleApi {
  readonly key: ModuleApiKey;
  /** Name of the API in configs and manifests. */
  readonly triplet: string;
  /** Description of the API's resources in the module's README. */
  readonly title: string;
  /**
   * Final words of identifiers in the code, which ensure that identifiers are never reserved words.
   */
  readonly noun: readonly string[];
  /** Path of the protocol declaration that the TypeScript template uses. */
  readonly proto: string;
  readonly languages: readonly ModuleLanguage[];
  readonly attributes: Readonly<Record<string, ExampleAttribute>>;
}

const BOTH: readonly ModuleLanguage[] = ['typescript', 'python'];

const APIS: Readonly<Record<ModuleApiKey, Omit<ModuleApi, 'key'>>> = {
  sensor: {
    triplet: 'rdk:component:sensor',
    title: 'sensor',
    noun: ['Sensor'],
    proto: 'component/sensor/v1/sensor.proto',
    languages: BOTH,
    attributes: {
      offset_celsius: { example: 0, description: 'An offset that is added to the measured value.' },
    },
  },
  camera: {
    triplet: 'rdk:component:camera',
    title: 'camera',
    noun: ['Camera'],
    proto: 'component/camera/v1/camera.proto',
    languages: BOTH,
    attributes: {
      width_px: { example: 64, description: 'The width of its images, from 1 to 4096.' },
      height_px: { example: 48, description: 'The height of its images, from 1 to 4096.' },
    },
  },
  motor: {
    triplet: 'rdk:component:motor',
    title: 'motor',
    noun: ['Motor'],
    proto: 'component/motor/v1/motor.proto',
    languages: BOTH,
    attributes: { max_rpm: { example: 100, description: 'Revolutions per minute at full power.' } },
  },
  base: {
    triplet: 'rdk:component:base',
    title: 'base',
    noun: ['Base'],
    proto: 'component/base/v1/base.proto',
    languages: BOTH,
    attributes: { width_mm: { example: 300, description: 'The distance between its wheels.' } },
  },
  movementSensor: {
    triplet: 'rdk:component:movement_sensor',
    title: 'movement sensor',
    noun: ['Movement', 'Sensor'],
    proto: 'component/movementsensor/v1/movementsensor.proto',
    languages: BOTH,
    attributes: {
      latitude: { example: 0, description: 'The latitude to report, in degrees.' },
      longitude: { example: 0, description: 'The longitude to report, in degrees.' },
    },
  },
  servo: {
    triplet: 'rdk:component:servo',
    title: 'servo',
    noun: ['Servo'],
    proto: 'component/servo/v1/servo.proto',
    languages: BOTH,
    attributes: { max_degrees: { example: 180, description: 'The maximum angle, up to 180.' } },
  },
  switch: {
    triplet: 'rdk:component:switch',
    title: 'switch',
    noun: ['Switch'],
    proto: 'component/switch/v1/switch.proto',
    // The return values of switches differ between versions of the public Python package.
    languages: ['typescript'],
    attributes: {
      labels: { example: ['off', 'on'], description: 'The number of positions, two or more.' },
    },
  },
  button: {
    triplet: 'rdk:component:button',
    title: 'button',
    noun: ['Button'],
    proto: 'component/button/v1/button.proto',
    languages: BOTH,
    attributes: {},
  },
  encoder: {
    triplet: 'rdk:component:encoder',
    title: 'encoder',
    noun: ['Encoder'],
    proto: 'component/encoder/v1/encoder.proto',
    languages: BOTH,
    attributes: { ticks_per_revolution: { example: 360, description: 'Ticks in a full turn.' } },
  },
  powerSensor: {
    triplet: 'rdk:component:power_sensor',
    title: 'power sensor',
    noun: ['Power', 'Sensor'],
    proto: 'component/powersensor/v1/powersensor.proto',
    languages: BOTH,
    attributes: { nominal_volts: { example: 12, description: 'The voltage to report.' } },
  },
  gripper: {
    triplet: 'rdk:component:gripper',
    title: 'gripper',
    noun: ['Gripper'],
    proto: 'component/gripper/v1/gripper.proto',
    languages: BOTH,
    attributes: {
      object_width_mm: { example: 40, description: 'The width of the object to grab; 0 for none.' },
    },
  },
  gantry: {
    triplet: 'rdk:component:gantry',
    title: 'gantry',
    noun: ['Gantry'],
    proto: 'component/gantry/v1/gantry.proto',
    languages: BOTH,
    attributes: { length_mm: { example: 500, description: 'The length of its axis.' } },
  },
  arm: {
    triplet: 'rdk:component:arm',
    title: 'arm',
    noun: ['Arm'],
    proto: 'component/arm/v1/arm.proto',
    // Newer versions of the public Python package require additional methods of an arm.
    languages: ['typescript'],
    attributes: {
      joints: { example: 3, description: 'The number of joints, from 1 to 12.' },
      link_mm: { example: 100, description: 'The length of the link after each joint.' },
    },
  },
  poseTracker: {
    triplet: 'rdk:component:pose_tracker',
    title: 'pose tracker',
    noun: ['Pose', 'Tracker'],
    proto: 'component/posetracker/v1/pose_tracker.proto',
    languages: BOTH,
    attributes: {
      bodies: { example: ['marker-1', 'marker-2'], description: 'The names of the bodies.' },
      distance_mm: { example: 100, description: 'The distance between two bodies.' },
    },
  },
  inputController: {
    triplet: 'rdk:component:input_controller',
    title: 'input controller',
    noun: ['Input', 'Controller'],
    proto: 'component/inputcontroller/v1/input_controller.proto',
    languages: BOTH,
    attributes: {
      controls: { example: ['ButtonStart', 'AbsoluteX'], description: 'Its buttons and axes.' },
    },
  },
  board: {
    triplet: 'rdk:component:board',
    title: 'board',
    noun: ['Board'],
    proto: 'component/board/v1/board.proto',
    languages: BOTH,
    attributes: {
      analogs: { example: ['light'], description: 'The names of its analog pins.' },
      digital_interrupts: { example: ['wheel'], description: 'The pins whose ticks it counts.' },
    },
  },
  audioIn: {
    triplet: 'rdk:component:audio_in',
    title: 'audio input',
    noun: ['Audio', 'Input'],
    proto: 'component/audioin/v1/audioin.proto',
    languages: BOTH,
    attributes: {
      frequency_hz: { example: 440, description: 'The frequency of the tone it sends.' },
    },
  },
  audioOut: {
    triplet: 'rdk:component:audio_out',
    title: 'audio output',
    noun: ['Audio', 'Output'],
    proto: 'component/audioout/v1/audioout.proto',
    languages: BOTH,
    attributes: { sample_rate_hz: { example: 44_100, description: 'Its samples per second.' } },
  },
  vision: {
    triplet: 'rdk:service:vision',
    title: 'vision service',
    noun: ['Vision'],
    proto: 'service/vision/v1/vision.proto',
    languages: BOTH,
    attributes: { camera_name: { example: 'camera-1', description: 'The camera to use.' } },
  },
  mlModel: {
    triplet: 'rdk:service:mlmodel',
    title: 'machine learning model service',
    noun: ['Ml', 'Model'],
    proto: 'service/mlmodel/v1/mlmodel.proto',
    // The public Python package uses tensors from a package that it doesn't install.
    languages: ['typescript'],
    attributes: { classes: { example: 2, description: 'The number of classes.' } },
  },
  motion: {
    triplet: 'rdk:service:motion',
    title: 'motion service',
    noun: ['Motion'],
    proto: 'service/motion/v1/motion.proto',
    languages: BOTH,
    attributes: {
      world_frame: { example: 'world', description: 'The frame of all components at first.' },
    },
  },
  navigation: {
    triplet: 'rdk:service:navigation',
    title: 'navigation service',
    noun: ['Navigation'],
    proto: 'service/navigation/v1/navigation.proto',
    languages: BOTH,
    attributes: {
      latitude: { example: 0, description: 'The latitude to report, in degrees.' },
      longitude: { example: 0, description: 'The longitude to report, in degrees.' },
    },
  },
  slam: {
    triplet: 'rdk:service:slam',
    title: 'SLAM service',
    noun: ['Slam', 'Service'],
    proto: 'service/slam/v1/slam.proto',
    languages: BOTH,
    attributes: {
      room_m: { example: 4, description: 'The width of the room on its map, in meters.' },
    },
  },
  worldStateStore: {
    triplet: 'rdk:service:world_state_store',
    title: 'world state store',
    noun: ['World', 'State', 'Store'],
    proto: 'service/worldstatestore/v1/world_state_store.proto',
    languages: BOTH,
    attributes: { objects: { example: ['crate'], description: 'The names of its objects.' } },
  },
  discovery: {
    triplet: 'rdk:service:discovery',
    title: 'discovery service',
    noun: ['Discovery'],
    proto: 'service/discovery/v1/discovery.proto',
    languages: BOTH,
    attributes: {
      video_path: { example: 'video0', description: 'The video device to propose as a camera.' },
    },
  },
  genericComponent: {
    triplet: 'rdk:component:generic',
    title: 'generic component',
    noun: ['Component'],
    proto: 'component/generic/v1/generic.proto',
    languages: BOTH,
    attributes: {},
  },
  genericService: {
    triplet: 'rdk:service:generic',
    title: 'generic service',
    noun: ['Service'],
    proto: 'service/generic/v1/generic.proto',
    languages: BOTH,
    attributes: {},
  },
};

/** APIs for which modules can be generated, most used first. */
export const MODULE_APIS: readonly ModuleApi[] = MODULE_API_KEYS.map((key) => ({
  key,
  ...APIS[key],
}));
