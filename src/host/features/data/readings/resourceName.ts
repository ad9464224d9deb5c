import type { CaptureSource } from '../../../../core/model/binaryItem';
import { toDisplayText } from '../../../../core/model/toDisplayText';

/** Formats the source of readings, from the machine to the component. */
export function resourceName({ machineName, partName, componentName }: CaptureSource): string {
  const names = [machineName, partName, componentName].filter((name) => name !== '');
  return names.map((name) => toDisplayText(name)).join(' › ');
}
