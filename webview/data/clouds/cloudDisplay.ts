import * as l10n from '@vscode/l10n';
import { element } from '../../ui/elements';
import type {
  Cloud,
  CloudFormatter,
  CloudLibrary,
  CloudView,
  CloudViewer,
  Coloring,
  ColorScale,
} from './cloudViewer';
import { type CloudStyle, CloudTools, pointSizes } from './cloudTools';

/** The drawn cloud with its controls. The display settings persist when another cloud is shown. */
export class CloudDisplay {
  readonly element: HTMLElement;
  private readonly area: HTMLElement;
  private readonly tools: CloudTools;
  private readonly legend: CloudLegend;
  private readonly help: HTMLElement;
  private readonly step = element('div', { class: 'cloud-step' });
  private readonly themes = new MutationObserver(() => this.color());
  private style: CloudStyle = { coloring: 'height', pointSize: 2, showsGrid: true };
  /** The coloring that the user selected, if any. */
  private chosen: Coloring | undefined;
  private available: readonly Coloring[] = [];
  private viewer: CloudViewer | undefined;

  constructor(
    private readonly text: CloudFormatter,
    private readonly showMessage: (message: string, retry?: () => void) => void,
  ) {
    const actions = this.actions();
    this.tools = new CloudTools(actions);
    this.legend = new CloudLegend(text);
    this.help = cloudHelp();
    this.area = element('div', {
      class: 'cloud-view',
      tabindex: '0',
      role: 'application',
      'data-focus': 'cloud',
      'aria-roledescription': l10n.t('3D view'),
      'aria-describedby': 'cloud-facts',
    });
    this.area.addEventListener('keydown', (event) => pressInCloud(event, actions));
    const space = element(
      'div',
      { class: 'cloud-space' },
      this.area,
      this.legend.element,
      this.step,
    );
    this.element = element('div', { class: 'cloud-display' }, this.tools.element, this.help, space);
    this.themes.observe(document.body, { attributeFilter: ['class'] });
    this.hide();
  }

  /** @param label label for screen readers */
  show(label: string, library: CloudLibrary, cloud: Cloud): void {
    this.area.setAttribute('aria-label', label);
    this.available = [
      ...(cloud.colors ? ['rgb' as const] : []),
      ...(cloud.intensities ? ['intensity' as const] : []),
      'height',
    ];
    const { chosen } = this;
    const coloring =
      chosen && this.available.includes(chosen) ? chosen : (this.available[0] ?? 'height');
    this.style = { ...this.style, coloring };
    this.viewer ??= this.createViewer(label, library, cloud);
    if (!this.viewer) {
      this.showMessage(
        l10n.t(
          "This computer can't render 3D graphics (WebGL is not available), so the point cloud is only described as text.",
        ),
      );
      return;
    }
    this.element.hidden = false;
    this.viewer.show(cloud);
    this.viewer.setPointSize(this.style.pointSize);
    this.setGrid(this.style.showsGrid);
    this.color();
  }

  /** Hides the cloud until another cloud is shown. Retains the renderer for reuse. */
  hide(): void {
    this.element.hidden = true;
  }

  focus(): void {
    if (!this.element.hidden) this.area.focus();
  }

  dispose(): void {
    this.themes.disconnect();
    this.viewer?.dispose();
    this.viewer = undefined;
  }

  private createViewer(
    label: string,
    library: CloudLibrary,
    cloud: Cloud,
  ): CloudViewer | undefined {
    const viewer = library.createViewer(() => {
      viewer?.dispose();
      this.viewer = undefined;
      this.hide();
      this.showMessage(
        l10n.t('The point cloud view was lost because the graphics processor was reset.'),
        () => {
          this.show(label, library, cloud);
          this.focus();
        },
      );
    });
    if (viewer) this.area.replaceChildren(viewer.element);
    return viewer;
  }

  private actions(): CloudActions & ConstructorParameters<typeof CloudTools>[0] {
    return {
      orbit: (left, up) => this.viewer?.orbit(left, up),
      pan: (right, down) => this.viewer?.pan(right, down),
      zoom: (factor) => this.viewer?.zoom(factor),
      setView: (view) => this.viewer?.setView(view),
      setColoring: (coloring) => this.setColoring(coloring),
      nextColoring: () => {
        const at = this.available.indexOf(this.style.coloring);
        const next = this.available[(at + 1) % this.available.length];
        if (next) this.setColoring(next);
      },
      setPointSize: (pixels) => this.setPointSize(pixels),
      growPoints: (pixels) => this.setPointSize(this.style.pointSize + pixels),
      setGrid: (shown) => this.setGrid(shown),
      toggleGrid: () => this.setGrid(!this.style.showsGrid),
      toggleHelp: () => {
        this.help.hidden = !this.help.hidden;
        this.showTools();
      },
    };
  }

  private setColoring(coloring: Coloring): void {
    this.chosen = coloring;
    this.style = { ...this.style, coloring };
    this.color();
  }

  private setPointSize(pixels: number): void {
    const pointSize = Math.min(pointSizes.max, Math.max(pointSizes.min, pixels));
    this.style = { ...this.style, pointSize };
    this.viewer?.setPointSize(pointSize);
    this.showTools();
  }

  private setGrid(showsGrid: boolean): void {
    this.style = { ...this.style, showsGrid };
    this.viewer?.setGrid(showsGrid);
    this.step.hidden = !showsGrid;
    const meters = this.text.value(this.viewer?.gridStep ?? 0);
    this.step.textContent = l10n.t('Grid lines every {0} m', meters);
    this.showTools();
  }

  private color(): void {
    const { coloring } = this.style;
    if (!this.viewer) return;
    this.legend.show(coloring, this.viewer.setColoring(coloring));
    this.showTools();
  }

  private showTools(): void {
    this.tools.show(this.style, this.available, !this.help.hidden);
  }
}

/** Shows the values that the points' colors represent. */
class CloudLegend {
  readonly element: HTMLElement;
  private readonly bar = element('div', { class: 'cloud-scale' });
  private readonly low = element('span');
  private readonly high = element('span');
  private readonly sentence = element('div', { class: 'cloud-scale-text' });

  constructor(private readonly text: CloudFormatter) {
    const ends = element('div', { class: 'cloud-scale-ends' }, this.low, this.high);
    ends.setAttribute('aria-hidden', 'true');
    this.element = element('div', { class: 'cloud-legend' }, this.sentence, this.bar, ends);
    this.element.hidden = true;
  }

  show(coloring: Coloring, scale: ColorScale | undefined): void {
    this.element.hidden = scale === undefined;
    if (!scale) return;
    this.bar.style.background = `linear-gradient(to right, ${scale.colors.join(', ')})`;
    this.low.textContent = this.text.scaleValue(coloring, scale.low);
    this.high.textContent = this.text.scaleValue(coloring, scale.high);
    this.sentence.textContent = this.text.scale(coloring, scale);
  }
}

/** Creates a table of the view's keys, which is shown on request. */
function cloudHelp(): HTMLElement {
  const rows: readonly (readonly [keys: string, what: string])[] = [
    ['← → ↑ ↓', l10n.t('Rotate the view')],
    ['Shift + ← → ↑ ↓', l10n.t('Move the view')],
    ['+ −', l10n.t('Zoom in or out')],
    ['0 1 2 3', l10n.t('Reset the view, or look from the top, front, or side')],
    ['C', l10n.t('Change the coloring')],
    ['[ ]', l10n.t('Smaller or larger points')],
    ['G', l10n.t('Show or hide the grid and the axes')],
    ['?', l10n.t('Show or hide this table')],
    [l10n.t('Mouse'), l10n.t('Drag to rotate, drag with the right button to move, scroll to zoom')],
  ];
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col' }, l10n.t('Keys')),
    element('th', { scope: 'col' }, l10n.t('Action')),
  );
  const body = rows.map(([keys, what]) =>
    element('tr', {}, element('th', { scope: 'row' }, keys), element('td', {}, what)),
  );
  const made = element(
    'div',
    { class: 'cloud-help', role: 'region', 'aria-label': l10n.t('3D view shortcuts') },
    element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)),
  );
  made.hidden = true;
  return made;
}

/** Actions that keys trigger in the cloud view. */
interface CloudActions {
  /** Orbits the camera; angles are in radians. */
  orbit(left: number, up: number): void;
  /** Pans the view; distances are in pixels. */
  pan(right: number, down: number): void;
  /** Zooms by a factor: values above 1 zoom in; values below 1 zoom out. */
  zoom(factor: number): void;
  setView(view: CloudView): void;
  nextColoring(): void;
  growPoints(pixels: number): void;
  toggleGrid(): void;
  toggleHelp(): void;
}

const TURN = Math.PI / 36;
const PAN = 40;
const ZOOM = 1.2;

const keys: Readonly<Record<string, (actions: CloudActions) => void>> = {
  ArrowLeft: (actions) => actions.orbit(TURN, 0),
  ArrowRight: (actions) => actions.orbit(-TURN, 0),
  ArrowUp: (actions) => actions.orbit(0, TURN),
  ArrowDown: (actions) => actions.orbit(0, -TURN),
  'Shift+ArrowLeft': (actions) => actions.pan(PAN, 0),
  'Shift+ArrowRight': (actions) => actions.pan(-PAN, 0),
  'Shift+ArrowUp': (actions) => actions.pan(0, PAN),
  'Shift+ArrowDown': (actions) => actions.pan(0, -PAN),
  '+': (actions) => actions.zoom(ZOOM),
  '=': (actions) => actions.zoom(ZOOM),
  '-': (actions) => actions.zoom(1 / ZOOM),
  _: (actions) => actions.zoom(1 / ZOOM),
  '0': (actions) => actions.setView('whole'),
  '1': (actions) => actions.setView('top'),
  '2': (actions) => actions.setView('front'),
  '3': (actions) => actions.setView('side'),
  c: (actions) => actions.nextColoring(),
  g: (actions) => actions.toggleGrid(),
  '[': (actions) => actions.growPoints(-1),
  ']': (actions) => actions.growPoints(1),
  '?': (actions) => actions.toggleHelp(),
};

/** Handles the view's keys. Other keys propagate. */
function pressInCloud(event: KeyboardEvent, actions: CloudActions): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isShifted = event.shiftKey && event.key.startsWith('Arrow');
  const key = isShifted ? `Shift+${event.key}` : event.key;
  if (!Object.hasOwn(keys, key)) return;
  keys[key]?.(actions);
  event.preventDefault();
  event.stopPropagation();
}
