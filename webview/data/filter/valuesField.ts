import * as l10n from '@vscode/l10n';
import type { Completions } from '../../../src/shared/data/filterMessages';
import { element, redrawKeepingFocus } from '../../ui/elements';
import { chip } from './filterChips';
import { ComboBox } from './comboBox';

interface ValuesOptions {
  readonly id: string;
  readonly label: string;
  readonly complete: (text: string, signal: AbortSignal) => Promise<Completions>;
  readonly onChange: (values: readonly string[]) => void;
}

/** A field for multiple values: the existing values and an input to add another value. */
export class ValuesField {
  readonly element: HTMLElement;
  private readonly chips = element('div', { class: 'field-chips' });
  private readonly box: ComboBox;
  private values: readonly string[] = [];

  constructor(private readonly options: ValuesOptions) {
    const { id, label, complete } = options;
    this.box = new ComboBox({
      id,
      label,
      complete,
      placeholder: l10n.t('Add…'),
      onTake: (value) => this.add(value),
      onBack: () => this.change(this.values.slice(0, -1)),
    });
    this.element = element('div', { class: 'values-field' }, this.chips, this.box.element);
  }

  show(values: readonly string[]): void {
    this.values = values;
    const { id } = this.options;
    redrawKeepingFocus(
      this.element,
      () =>
        this.chips.replaceChildren(
          ...values.map((value) =>
            chip({
              key: `${id} ${value}`,
              text: value,
              onRemove: () => this.change(this.values.filter((one) => one !== value)),
            }),
          ),
        ),
      (key) => (key.startsWith('remove ') ? this.box.input : undefined),
    );
  }

  private add(value: string): void {
    this.box.set('');
    this.box.input.value = '';
    if (value !== '' && !this.values.includes(value)) this.change([...this.values, value]);
  }

  private change(values: readonly string[]): void {
    if (values.length === this.values.length) return;
    this.show(values);
    this.options.onChange(values);
  }
}

/** Content types that are common on robots; users can also type other types. */
export const mimeTypes = [
  'application/json',
  'application/octet-stream',
  'application/pdf',
  'application/zip',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'pointcloud/pcd',
  'text/csv',
  'text/plain',
  'video/mp4',
] as const;

/** Component types that capture data. */
export const componentTypes = [
  'rdk:component:arm',
  'rdk:component:base',
  'rdk:component:board',
  'rdk:component:camera',
  'rdk:component:encoder',
  'rdk:component:gantry',
  'rdk:component:gripper',
  'rdk:component:motor',
  'rdk:component:movement_sensor',
  'rdk:component:power_sensor',
  'rdk:component:sensor',
  'rdk:component:servo',
  'rdk:service:slam',
  'rdk:service:vision',
] as const;

/** Methods that can be captured. */
export const methods = [
  'AngularVelocity',
  'CaptureAllFromCamera',
  'CompassHeading',
  'EndPosition',
  'GetImages',
  'JointPositions',
  'LinearAcceleration',
  'LinearVelocity',
  'NextPointCloud',
  'Orientation',
  'PointCloudMap',
  'Position',
  'Power',
  'ReadImage',
  'Readings',
  'TicksCount',
] as const;

/** Returns a function that finds the values that contain the given text, ignoring case. */
export function completeFrom(values: readonly string[]): (text: string) => Promise<Completions> {
  return (text) => {
    const searchText = text.trim().toLowerCase();
    const found = values.filter((value) => value.toLowerCase().includes(searchText));
    return Promise.resolve({ values: found, more: false });
  };
}
