import * as l10n from '@vscode/l10n';
import type { FilterField, TagsMode } from '../../../src/shared/data/dataFilter';
import type { FilterResourceKind } from '../../../src/shared/data/filterMessages';

const HOUR = 60;
const DAY = 24 * HOUR;

/** A preset interval that ends now. */
export interface IntervalPreset {
  readonly minutes: number;
  readonly label: string;
}

/** Returns the names of the filter's fields. */
export function getFieldNames(): Readonly<Record<FilterField, string>> {
  return {
    organization: l10n.t('Organization'),
    location: l10n.t('Location'),
    machine: l10n.t('Machine'),
    part: l10n.t('Part'),
    machineName: l10n.t('Machine Name'),
    partName: l10n.t('Part Name'),
    componentName: l10n.t('Component Name'),
    componentType: l10n.t('Component Type'),
    method: l10n.t('Method'),
    mimeType: l10n.t('MIME Type'),
    time: l10n.t('Captured'),
    tags: l10n.t('Tags'),
    labels: l10n.t('Labels'),
    dataset: l10n.t('Dataset'),
  };
}

/** Returns the labels of the buttons that select a resource. */
export function getPickLabels(): Readonly<Record<FilterResourceKind, string>> {
  return {
    location: l10n.t('Add Location…'),
    machine: l10n.t('Select Machine…'),
    part: l10n.t('Select Part…'),
    dataset: l10n.t('Select Dataset…'),
  };
}

/** Returns the names of the ways to filter by tags. */
export function getTagsModeNames(): Readonly<Record<TagsMode, string>> {
  return {
    any: l10n.t('Tagged or not'),
    anyOf: l10n.t('Any of these tags'),
    tagged: l10n.t('Tagged'),
    untagged: l10n.t('Untagged'),
  };
}

/** Returns the preset intervals. */
export function getIntervalPresets(): readonly IntervalPreset[] {
  return [
    { minutes: 15, label: l10n.t('Last 15 minutes') },
    { minutes: HOUR, label: l10n.t('Last hour') },
    { minutes: DAY, label: l10n.t('Last 24 hours') },
    { minutes: 7 * DAY, label: l10n.t('Last 7 days') },
    { minutes: 30 * DAY, label: l10n.t('Last 30 days') },
  ];
}
