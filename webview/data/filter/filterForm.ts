import * as l10n from '@vscode/l10n';
import { getFieldNames, getTagsModeNames, getPickLabels } from './filterLabels';
import type { DataFilter, FilterField, TagsMode } from '../../../src/shared/data/dataFilter';
import type { FilterNames } from '../../../src/shared/data/dataPanel';
import type {
  CompletedField,
  Completions,
  FilterResourceKind,
} from '../../../src/shared/data/filterMessages';
import { element, redrawKeepingFocus, toolButton } from '../../ui/elements';
import { ComboBox } from './comboBox';
import { IntervalField } from './intervalField';
import { completeFrom, componentTypes, methods, mimeTypes, ValuesField } from './valuesField';
import { chip } from './filterChips';

interface FormOptions {
  readonly utc: boolean;
  readonly onChange: (change: Partial<DataFilter>) => void;
  readonly onZone: (utc: boolean) => void;
  readonly onPick: (kind: FilterResourceKind) => void;
  readonly complete: (
    field: CompletedField,
    text: string,
    signal: AbortSignal,
  ) => Promise<Completions>;
}

const textFields = ['machineName', 'partName', 'componentName', 'componentType', 'method'] as const;
type TextField = (typeof textFields)[number];

const suggestions: Readonly<Partial<Record<TextField, readonly string[]>>> = {
  componentType: componentTypes,
  method: methods,
};
const tagsModes: readonly TagsMode[] = ['any', 'anyOf', 'tagged', 'untagged'];

/** The form with all filter fields. */
export class FilterForm {
  readonly element: HTMLElement;
  private readonly texts: Readonly<Record<TextField, TextBox | ComboBox>>;
  private readonly resourceFields: Readonly<Record<FilterResourceKind, ResourceField>>;
  private readonly mimeTypes: ValuesField;
  private readonly interval: IntervalField;
  private readonly tagsMode: HTMLSelectElement;
  private readonly tags: ValuesField;
  private readonly labels: ValuesField;
  private locations: readonly string[] = [];

  constructor(private readonly options: FormOptions) {
    const { utc, onChange, onZone } = options;
    this.texts = Object.fromEntries(
      textFields.map((field) => [field, this.textBox(field)]),
    ) as unknown as FilterForm['texts'];
    this.resourceFields = {
      location: this.createResourceField('location'),
      machine: this.createResourceField('machine'),
      part: this.createResourceField('part'),
      dataset: this.createResourceField('dataset'),
    };
    this.mimeTypes = new ValuesField({
      id: 'filter-mimeType',
      label: getFieldNames().mimeType,
      complete: completeFrom(mimeTypes),
      onChange: (values) => onChange({ mimeTypes: values }),
    });
    this.interval = new IntervalField({
      id: 'filter-time',
      label: getFieldNames().time,
      utc,
      onZone,
      onChange: (interval) => onChange({ interval }),
    });
    this.tagsMode = this.modeSelect();
    this.tags = this.completed('tags');
    this.labels = this.completed('labels');
    this.element = element('div', { class: 'filter-form', id: 'filter-form', role: 'search' });
    this.element.setAttribute('aria-label', l10n.t('Filter'));
    this.element.append(...this.rows());
  }

  show(filter: DataFilter, names: FilterNames): void {
    this.locations = filter.locations;
    const one = (id: string): readonly string[] => (id === '' ? [] : [id]);
    this.resourceFields.location.show(filter.locations, names);
    this.resourceFields.machine.show(one(filter.machine), names);
    this.resourceFields.part.show(one(filter.part), names);
    this.resourceFields.dataset.show(one(filter.dataset), names);
    for (const field of textFields) this.texts[field].set(filter[field]);
    this.mimeTypes.show(filter.mimeTypes);
    this.interval.show(filter.interval);
    this.tagsMode.value = filter.tagsMode;
    this.tags.element.hidden = filter.tagsMode !== 'anyOf';
    this.tags.show(filter.tags);
    this.labels.show(filter.labels);
  }

  focus(): void {
    this.element.querySelector<HTMLElement>('button, input, select')?.focus();
  }

  private rows(): HTMLElement[] {
    const { texts, resourceFields } = this;
    const fields: readonly (readonly [FilterField, HTMLElement])[] = [
      ['location', resourceFields.location.element],
      ['machine', resourceFields.machine.element],
      ['part', resourceFields.part.element],
      ...textFields.map((field) => [field, texts[field].element] as const),
      ['mimeType', this.mimeTypes.element],
      ['time', this.interval.element],
      ['tags', element('div', { class: 'tags-field' }, this.tagsMode, this.tags.element)],
      ['labels', this.labels.element],
      ['dataset', resourceFields.dataset.element],
    ];
    return fields.map(([field, content]) =>
      element(
        'div',
        { class: `field field-${field}`, role: 'group', 'aria-label': getFieldNames()[field] },
        element('div', { class: 'field-name', 'aria-hidden': 'true' }, getFieldNames()[field]),
        content,
      ),
    );
  }

  private textBox(field: TextField): TextBox | ComboBox {
    const { onChange } = this.options;
    const options = {
      id: `filter-${field}`,
      label: getFieldNames()[field],
      placeholder: l10n.t('Any'),
      onTake: (value: string) => onChange({ [field]: value }),
    };
    const known = suggestions[field];
    return known
      ? new ComboBox({ ...options, complete: completeFrom(known) })
      : new TextBox(options);
  }

  private createResourceField(kind: FilterResourceKind): ResourceField {
    const { onPick, onChange } = this.options;
    return new ResourceField({
      kind,
      onPick: () => onPick(kind),
      onRemove: (id) => onChange(this.without(kind, id)),
    });
  }

  /**
   * Returns the change that removes a resource from the filter. Removing a machine also removes its
   * part.
   */
  private without(kind: FilterResourceKind, id: string): Partial<DataFilter> {
    switch (kind) {
      case 'location':
        return { locations: this.locations.filter((one) => one !== id) };
      case 'machine':
        return { machine: '', part: '' };
      case 'part':
        return { part: '' };
      case 'dataset':
        return { dataset: '' };
    }
  }

  private completed(field: CompletedField): ValuesField {
    const { complete, onChange } = this.options;
    return new ValuesField({
      id: `filter-${field}`,
      label: getFieldNames()[field],
      complete: (text, signal) => complete(field, text, signal),
      onChange: (values) => onChange({ [field]: values }),
    });
  }

  private modeSelect(): HTMLSelectElement {
    const { onChange } = this.options;
    const made = element(
      'select',
      {
        class: 'filter-input',
        'aria-label': getFieldNames().tags,
        'data-focus': 'filter-tagsMode',
      },
      ...tagsModes.map((value) => element('option', { value }, getTagsModeNames()[value])),
    );
    made.addEventListener('change', () => {
      const chosen = tagsModes.find((mode) => mode === made.value);
      if (chosen) onChange({ tagsMode: chosen });
    });
    return made;
  }
}

interface ResourceFieldOptions {
  readonly kind: FilterResourceKind;
  readonly onPick: () => void;
  readonly onRemove: (id: string) => void;
}

/** A field for resources or datasets, which the user selects in a VS Code quick pick. */
class ResourceField {
  readonly element: HTMLElement;
  private readonly chips = element('div', { class: 'field-chips' });
  private readonly pick: HTMLButtonElement;

  constructor(private readonly options: ResourceFieldOptions) {
    const { kind, onPick } = options;
    this.pick = toolButton(getPickLabels()[kind], onPick, {
      focusKey: `pick ${kind}`,
      class: 'pick',
    });
    this.element = element('div', { class: 'place-field' }, this.chips, this.pick);
  }

  show(ids: readonly string[], names: FilterNames): void {
    const { kind, onRemove } = this.options;
    redrawKeepingFocus(
      this.element,
      () =>
        this.chips.replaceChildren(
          ...ids.map((id) =>
            chip({
              key: `${kind} ${id}`,
              text: names[id]?.name ?? id,
              hint: names[id]?.path,
              onRemove: () => onRemove(id),
            }),
          ),
        ),
      (key) => (key.startsWith('remove ') ? this.pick : undefined),
    );
  }
}

interface TextBoxOptions {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  /** Called when the user presses Enter or leaves the input. */
  readonly onTake: (value: string) => void;
}

/** A text input whose value is applied when the user finishes editing. */
class TextBox {
  readonly element: HTMLInputElement;
  /** Value that Escape restores. */
  private taken = '';

  constructor({ id, label, placeholder, onTake }: TextBoxOptions) {
    this.element = element('input', {
      type: 'text',
      id,
      class: 'filter-input',
      placeholder,
      'aria-label': label,
      autocomplete: 'off',
      spellcheck: 'false',
      'data-focus': id,
    });
    const take = (): void => {
      const value = this.element.value.trim();
      if (value === this.taken) return;
      this.taken = value;
      onTake(value);
    };
    this.element.addEventListener('blur', take);
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') take();
      else if (event.key !== 'Escape' || this.element.value === this.taken) return;
      else this.element.value = this.taken;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Sets the input's value, unless the user is typing there. */
  set(value: string): void {
    const isTyping = document.activeElement === this.element && this.element.value !== this.taken;
    this.taken = value;
    if (!isTyping) this.element.value = value;
  }
}
