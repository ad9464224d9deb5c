import * as vscode from 'vscode';
import type { ModuleApi, ModuleApiKey } from '../../../core/modules/generate/moduleApi';

interface ApiWords {
  readonly label: string;
  readonly detail: string;
}

/** How an API is called, and what resources of it do. */
export function apiWords({ key }: ModuleApi): ApiWords {
  return allWords()[key];
}

function allWords(): Readonly<Record<ModuleApiKey, ApiWords>> {
  const { l10n } = vscode;
  return {
    sensor: {
      label: l10n.t('Sensor'),
      detail: l10n.t('Measures, and answers readings by their names'),
    },
    camera: { label: l10n.t('Camera'), detail: l10n.t('Takes pictures') },
    motor: { label: l10n.t('Motor'), detail: l10n.t('Turns, by power, speed or position') },
    base: { label: l10n.t('Base'), detail: l10n.t('Drives straight, turns, and keeps a velocity') },
    movementSensor: {
      label: l10n.t('Movement Sensor'),
      detail: l10n.t('Tells position, velocity, acceleration, orientation and heading'),
    },
    servo: { label: l10n.t('Servo'), detail: l10n.t('Goes to an angle and stays there') },
    switch: { label: l10n.t('Switch'), detail: l10n.t('Has two or more positions') },
    vision: {
      label: l10n.t('Vision Service'),
      detail: l10n.t('Finds and names what pictures of a camera show'),
    },
    genericComponent: {
      label: l10n.t('Generic Component'),
      detail: l10n.t('A device with commands of its own'),
    },
    genericService: {
      label: l10n.t('Generic Service'),
      detail: l10n.t('Software with commands of its own'),
    },
  };
}
