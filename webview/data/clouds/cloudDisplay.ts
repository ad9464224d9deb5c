import type { CloudStrings } from '../../../src/shared/data/cloudStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { cloudHelp } from './cloudHelp';
import { type CloudActions, pressInCloud } from './cloudKeys';
import { CloudLegend } from './cloudLegend';
import type { CloudFormatter } from './cloudFormatter';
import { type CloudStyle, CloudTools, pointSizes } from './cloudTools';
import type { Cloud, CloudLibrary, CloudViewer, Coloring } from './cloudViewer';

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
    private readonly strings: CloudStrings,
    private readonly text: CloudFormatter,
    private readonly showMessage: (message: string, retry?: () => void) => void,
  ) {
    const actions = this.actions();
    this.tools = new CloudTools(strings, actions);
    this.legend = new CloudLegend(text);
    this.help = cloudHelp(strings);
    this.area = element('div', {
      ...{ class: 'cloud-view', tabindex: '0', role: 'application', 'data-focus': 'cloud' },
      ...{ 'aria-roledescription': strings.viewRole, 'aria-describedby': 'cloud-facts' },
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
      this.showMessage(this.strings.noWebGl);
      return;
    }
    this.element.hidden = false;
    this.viewer.show(cloud);
    this.viewer.setPointSize(this.style.pointSize);
    this.setGrid(this.style.showsGrid);
    this.color();
  }

  /** Hides the cloud until another cloud is shown; keeps the renderer for reuse. */
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
      this.showMessage(this.strings.lost, () => {
        this.show(label, library, cloud);
        this.focus();
      });
    });
    if (viewer) this.area.replaceChildren(viewer.element);
    return viewer;
  }

  private actions(): CloudActions & ConstructorParameters<typeof CloudTools>[1] {
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
    const pointSize = Math.min(pointSizes.most, Math.max(pointSizes.least, pixels));
    this.style = { ...this.style, pointSize };
    this.viewer?.setPointSize(pointSize);
    this.showTools();
  }

  private setGrid(showsGrid: boolean): void {
    this.style = { ...this.style, showsGrid };
    this.viewer?.setGrid(showsGrid);
    this.step.hidden = !showsGrid;
    const meters = this.text.value(this.viewer?.gridStep ?? 0);
    this.step.textContent = fillPlaceholders(this.strings.gridStep, meters);
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
