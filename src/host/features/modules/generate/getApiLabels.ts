import * as vscode from 'vscode';
import type { ModuleApi, ModuleApiKey } from '../../../../core/modules/generate/moduleApi';

interface ApiLabels {
  readonly label: string;
  readonly detail: string;
}

/** Returns an API's name and a description of its resources. */
export function getApiLabels({ key }: ModuleApi): ApiLabels {
  return getAllLabels()[key];
}

function getAllLabels(): Readonly<Record<ModuleApiKey, ApiLabels>> {
  const { l10n } = vscode;
  return {
    sensor: {
      label: l10n.t('Sensor'),
      detail: l10n.t('Measures values and returns readings by name'),
    },
    camera: { label: l10n.t('Camera'), detail: l10n.t('Captures images') },
    motor: {
      label: l10n.t('Motor'),
      detail: l10n.t('Rotates at a set power or speed, or to a set position'),
    },
    base: {
      label: l10n.t('Base'),
      detail: l10n.t('Drives straight, turns, and moves at a set velocity'),
    },
    movementSensor: {
      label: l10n.t('Movement Sensor'),
      detail: l10n.t('Reports position, velocity, acceleration, orientation, and heading'),
    },
    servo: { label: l10n.t('Servo'), detail: l10n.t('Moves to an angle and holds it') },
    switch: { label: l10n.t('Switch'), detail: l10n.t('Has two or more positions') },
    button: { label: l10n.t('Button'), detail: l10n.t('Triggers an action when it is pressed') },
    encoder: {
      label: l10n.t('Encoder'),
      detail: l10n.t('Measures rotation in ticks or degrees'),
    },
    powerSensor: {
      label: l10n.t('Power Sensor'),
      detail: l10n.t('Measures voltage, current, and power'),
    },
    gripper: { label: l10n.t('Gripper'), detail: l10n.t('Opens, grabs, and holds objects') },
    gantry: {
      label: l10n.t('Gantry'),
      detail: l10n.t('Moves along linear axes'),
    },
    arm: {
      label: l10n.t('Arm'),
      detail: l10n.t('Moves its joints and reports the position of its end effector'),
    },
    poseTracker: {
      label: l10n.t('Pose Tracker'),
      detail: l10n.t('Reports the positions and orientations of bodies'),
    },
    inputController: {
      label: l10n.t('Input Controller'),
      detail: l10n.t('Sends events from buttons and axes'),
    },
    board: {
      label: l10n.t('Board'),
      detail: l10n.t('Sets and reads GPIO pins, PWM, and analog values'),
    },
    audioIn: {
      label: l10n.t('Audio Input'),
      detail: l10n.t('Streams recorded audio'),
    },
    audioOut: { label: l10n.t('Audio Output'), detail: l10n.t('Plays audio') },
    vision: {
      label: l10n.t('Vision Service'),
      detail: l10n.t('Detects and identifies objects in camera images'),
    },
    mlModel: {
      label: l10n.t('ML Model Service'),
      detail: l10n.t('Runs a machine learning model on tensors'),
    },
    motion: {
      label: l10n.t('Motion Service'),
      detail: l10n.t('Plans and executes the movements of components'),
    },
    navigation: {
      label: l10n.t('Navigation Service'),
      detail: l10n.t('Drives a machine to waypoints'),
    },
    slam: {
      label: l10n.t('SLAM Service'),
      detail: l10n.t('Maps the surroundings and locates the machine on the map'),
    },
    worldStateStore: {
      label: l10n.t('World State Store'),
      detail: l10n.t('Stores objects with their positions and streams changes'),
    },
    discovery: {
      label: l10n.t('Discovery Service'),
      detail: l10n.t('Finds devices and proposes configs for them'),
    },
    genericComponent: {
      label: l10n.t('Generic Component'),
      detail: l10n.t('A device with its own commands'),
    },
    genericService: {
      label: l10n.t('Generic Service'),
      detail: l10n.t('Software with custom commands'),
    },
  };
}
