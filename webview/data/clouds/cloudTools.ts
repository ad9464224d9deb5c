import * as l10n from '@vscode/l10n';
import { element, type ToggleButton, toggleButton, toolButton } from '../../ui/elements';
import {
  type CloudView,
  cloudViews,
  type Coloring,
  colorings,
  getColoringNames,
} from './cloudViewer';

/** Size of points in pixels. */
export const pointSizes = { min: 1, max: 10 } as const;

/** Display settings of a cloud. */
export interface CloudStyle {
  readonly coloring: Coloring;
  /** Size of points in pixels. */
  readonly pointSize: number;
  readonly showsGrid: boolean;
}

export interface CloudToolActions {
  setColoring(coloring: Coloring): void;
  setPointSize(pixels: number): void;
  setGrid(shown: boolean): void;
  setView(view: CloudView): void;
  toggleHelp(): void;
}

/** The toolbar above a cloud. */
export class CloudTools {
  readonly element: HTMLElement;
  private readonly colorings: ReadonlyMap<Coloring, ToggleButton>;
  private readonly size: HTMLInputElement;
  private readonly sizeText = element('span', { class: 'cloud-size-text' });
  private readonly grid: ToggleButton;
  private readonly help: HTMLButtonElement;

  constructor(actions: CloudToolActions) {
    this.colorings = new Map(
      colorings.map((one) => [
        one,
        toggleButton(getColoringNames()[one], () => actions.setColoring(one), {
          focusKey: `cloud coloring ${one}`,
        }),
      ]),
    );
    this.size = this.makeSize(actions);
    this.grid = toggleButton(l10n.t('Grid and Axes'), (on) => actions.setGrid(on), {
      focusKey: 'cloud grid',
    });
    this.help = toolButton('?', () => actions.toggleHelp(), {
      focusKey: 'cloud help',
      hint: l10n.t('3D view shortcuts'),
    });
    this.help.setAttribute('aria-label', l10n.t('3D view shortcuts'));
    const viewNames = {
      whole: l10n.t('Reset View'),
      top: l10n.t('Top'),
      front: l10n.t('Front'),
      side: l10n.t('Side'),
    };
    const viewButtons = cloudViews.map((view) =>
      toolButton(viewNames[view], () => actions.setView(view), {
        focusKey: `cloud view ${view}`,
      }),
    );
    this.element = element(
      'div',
      { class: 'cloud-tools', role: 'toolbar', 'aria-label': l10n.t('Point cloud view') },
      group(l10n.t('Color by'), ...[...this.colorings.values()].map((one) => one.element)),
      element('label', { class: 'cloud-size' }, l10n.t('Point size'), this.size, this.sizeText),
      group(l10n.t('View from'), ...viewButtons),
      this.grid.element,
      this.help,
    );
  }

  /** @param available the colorings for which the cloud has values */
  show(style: CloudStyle, available: readonly Coloring[], showsHelp: boolean): void {
    for (const [coloring, toggle] of this.colorings) {
      toggle.element.hidden = !available.includes(coloring);
      toggle.setOn(coloring === style.coloring);
    }
    this.size.value = String(style.pointSize);
    const pixels = l10n.t('{0} px', String(style.pointSize));
    this.sizeText.textContent = pixels;
    this.size.setAttribute('aria-valuetext', pixels);
    this.grid.setOn(style.showsGrid);
    this.help.setAttribute('aria-expanded', String(showsHelp));
  }

  private makeSize(actions: CloudToolActions): HTMLInputElement {
    const { min, max } = pointSizes;
    const made = element('input', {
      type: 'range',
      min: String(min),
      max: String(max),
      step: '1',
      'data-focus': 'cloud point size',
    });
    made.addEventListener('input', () => actions.setPointSize(made.valueAsNumber));
    // The arrow keys move the slider, so they must not also switch to another item.
    made.addEventListener('keydown', (event) => {
      if (event.key.startsWith('Arrow')) event.stopPropagation();
    });
    return made;
  }
}

function group(label: string, ...children: readonly HTMLElement[]): HTMLElement {
  const name = element('span', { class: 'cloud-group-label', 'aria-hidden': 'true' }, label);
  return element(
    'div',
    { class: 'cloud-group', role: 'group', 'aria-label': label },
    name,
    ...children,
  );
}
