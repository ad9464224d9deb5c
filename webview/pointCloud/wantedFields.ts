import { CloudFileError } from '../data/clouds/cloudViewer';
import type { PcdField, PcdHeader } from './pcdHeader';

/** A field that is shown, by the name under which three's loader looks for it. */
export interface WantedField extends PcdField {
  readonly loaderName: 'x' | 'y' | 'z' | 'rgb' | 'intensity';
}

const axes = ['x', 'y', 'z'] as const;

/** The fields that are shown. @throws CloudFileError when there are no places */
export function wantedFields({ fields, encoding }: PcdHeader): readonly WantedField[] {
  // Lines of text hold any number; of binary ones, the loader reads no whole numbers of eight bytes.
  const isReadable = ({ type, size, count }: PcdField): boolean =>
    count > 0 && (encoding === 'ascii' || type === 'F' || size < 8);
  const find = (name: string): PcdField | undefined => fields.find((one) => one.name === name);
  const places = axes.map((loaderName) => {
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
    ...places,
    ...(color?.size === 4 && isReadable(color) ? [{ ...color, loaderName: 'rgb' as const }] : []),
    ...(intensity && isReadable(intensity)
      ? [{ ...intensity, loaderName: 'intensity' as const }]
      : []),
  ];
}
