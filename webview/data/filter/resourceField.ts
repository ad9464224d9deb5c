import type { FilterNames } from '../../../src/shared/data/dataPanel';
import type { FilterStrings } from '../../../src/shared/data/filterStrings';
import type { FilterResourceKind } from '../../../src/shared/data/filterMessages';
import { element, redrawKeepingFocus } from '../../ui/elements';
import { toolButton } from '../../ui/toolButton';
import { chip } from './chip';

interface ResourceFieldOptions {
  readonly kind: FilterResourceKind;
  readonly strings: FilterStrings;
  readonly onPick: () => void;
  readonly onRemove: (id: string) => void;
}

/** A field for resources or datasets, which the user selects in a VS Code quick pick. */
export class ResourceField {
  readonly element: HTMLElement;
  private readonly chips = element('div', { class: 'field-chips' });
  private readonly pick: HTMLButtonElement;

  constructor(private readonly options: ResourceFieldOptions) {
    const { kind, strings, onPick } = options;
    this.pick = toolButton(strings.pick[kind], onPick, { focusKey: `pick ${kind}`, class: 'pick' });
    this.element = element('div', { class: 'place-field' }, this.chips, this.pick);
  }

  show(ids: readonly string[], names: FilterNames): void {
    const { kind, strings, onRemove } = this.options;
    redrawKeepingFocus(
      this.element,
      () =>
        this.chips.replaceChildren(
          ...ids.map((id) =>
            chip({
              ...{ key: `${kind} ${id}`, text: names[id]?.name ?? id, hint: names[id]?.path },
              ...{ removeText: strings.remove, onRemove: () => onRemove(id) },
            }),
          ),
        ),
      (key) => (key.startsWith('remove ') ? this.pick : undefined),
    );
  }
}
