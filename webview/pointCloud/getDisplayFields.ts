import { CloudFileError } from '../data/clouds/cloudViewer';
import type { PcdField, PcdHeader } from './pcdHeader';

/** A shown field, with the name that the three.js loader expects. */
export interface DisplayField extends PcdField {
  readonly loaderName: 'x' | 'y' | 'z' | 'rgb' | 'intensity';
}

const axes = ['x', 'y', 'z'] as const;

/**
 * Returns the shown fields.
 * @throws CloudFileError if there are no coordinates
 */
export function getDisplayFields({ fields, encoding }: PcdHeader): readonly DisplayField[] {
  // Text files can contain any numbers; in binary files, the loader doesn't support 8-byte
  // integers.
  const isReadable = ({ type, size, count }: PcdField): boolean =>
    count > 0 && (encoding === 'ascii' || type === 'F' || size < 8);
  const find = (name: string): PcdField | undefined => fields.find((one) => one.name === name);
  const axisFields = axes.map((loaderName) => {
    const field = find(loaderName);
    if (!field) throw new CloudFileError({ kind: 'noPlaces', values: [] });
    if (!isReadable(field)) {
      throw new CloudFileError({ kind: 'unreadableField', values: [loaderName] });
    }
    return { ...field, loaderName };
  });
  const intensity = find('intensity');
  const color = find('rgb') ?? find('rgba');
  return [
    ...axisFields,
    ...(color?.size === 4 && isReadable(color) ? [{ ...color, loaderName: 'rgb' as const }] : []),
    ...(intensity && isReadable(intensity)
      ? [{ ...intensity, loaderName: 'intensity' as const }]
      : []),
  ];
}
