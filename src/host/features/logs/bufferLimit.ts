import { settings } from '../../../manifest/settings';
import { readSetting } from '../../platform/settingsReader';

const LEAST = 1_000;
const MOST = 1_000_000;

/**
 * Returns the maximum number of lines of a panel: the value of the setting, clamped to its bounds.
 */
export function bufferLimit(): number {
  const value = readSetting(settings.logsBufferLimit);
  const isUsable = Number.isFinite(value);
  return isUsable
    ? Math.min(Math.max(Math.round(value), LEAST), MOST)
    : settings.logsBufferLimit.defaultValue;
}
