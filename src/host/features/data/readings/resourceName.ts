import type { CaptureSource } from '../../../../core/model/binaryItem';
import { displayText } from '../../../../core/model/displayText';

/** Formats the source of readings, from the machine to the component. */
export function resourceName({ machineName, partName, componentName }: CaptureSource): string {
  const names = [machineName, partName, componentName].filter((name) => name !== '');
  return names.map((name) => displayText(name)).join(' › ');
}
