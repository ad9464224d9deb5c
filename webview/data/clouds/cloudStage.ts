import * as l10n from '@vscode/l10n';
import { element, toolButton } from '../../ui/elements';
import { CloudDisplay } from './cloudDisplay';
import {
  CloudFileError,
  CloudFormatter,
  type CloudLibrary,
  cloudLibraryKey,
  type CloudReading,
} from './cloudViewer';

/** Maximum number of points that can be rotated and panned smoothly. */
const MAX_POINTS = 1_000_000;

interface CloudStageOptions {
  /** A language tag that the browser supports; undefined for the browser's own language. */
  readonly locale: string | undefined;
  /** URI of the script that draws clouds. */
  readonly scriptUri: string;
  /** Maximum number of points; larger clouds are sampled evenly. The default is one million. */
  readonly maxPoints?: number;
}

/** Shows a point cloud and, as text, information about it. */
export class CloudStage {
  readonly element: HTMLElement;
  private readonly text: CloudFormatter;
  private readonly script: CloudScript;
  private readonly maxPoints: number;
  private readonly status = element('div', { class: 'cloud-status', role: 'status' });
  private readonly problem = element('div', { class: 'cloud-problem', role: 'alert' });
  private readonly facts: HTMLElement;
  private readonly display: CloudDisplay;
  private reading: AbortController | undefined;

  constructor({ locale, scriptUri, maxPoints = MAX_POINTS }: CloudStageOptions) {
    this.maxPoints = maxPoints;
    this.text = new CloudFormatter(locale);
    this.script = new CloudScript(scriptUri);
    this.display = new CloudDisplay(this.text, (message, retry) => {
      this.showProblem(message, retry);
    });
    this.facts = element('dl', {
      class: 'cloud-facts',
      id: 'cloud-facts',
      'aria-label': l10n.t('About the point cloud'),
    });
    this.element = element(
      'div',
      { class: 'cloud-stage' },
      this.problem,
      this.display.element,
      this.facts,
      this.status,
    );
    this.clear();
  }

  /** Shows the cloud in a file, or the reason why it can't be shown. */
  async show({ name }: { readonly name: string }, bytes: ArrayBuffer): Promise<void> {
    this.reading?.abort();
    const reading = new AbortController();
    this.reading = reading;
    const { signal } = reading;
    this.clear();
    try {
      const library = await this.load();
      signal.throwIfAborted();
      const onProgress = (part: number): void => {
        if (!signal.aborted) {
          this.showStatus(l10n.t('Loading the point cloud… {0}', this.text.percentage(part)));
        }
      };
      const read = await library.read(bytes, { limit: this.maxPoints, signal, onProgress });
      signal.throwIfAborted();
      this.present(name, library, read);
    } catch (error) {
      if (signal.aborted) return;
      this.showStatus('');
      this.showProblem(this.wordsFor(error));
    }
  }

  leave(): Promise<boolean> {
    return Promise.resolve(true);
  }

  focus(): void {
    this.display.focus();
  }

  dispose(): void {
    this.reading?.abort();
    this.display.dispose();
    this.element.remove();
  }

  private clear(): void {
    this.display.hide();
    this.facts.replaceChildren();
    this.problem.hidden = true;
    this.status.classList.remove('visually-hidden');
    this.showStatus(l10n.t('Loading the point cloud…'));
  }

  private async load(): Promise<CloudLibrary> {
    try {
      return await this.script.load();
    } catch (error) {
      throw new Error(
        l10n.t(
          "The point cloud viewer couldn't be loaded from the extension. Open the item again.",
        ),
        { cause: error },
      );
    }
  }

  private present(name: string, library: CloudLibrary, read: CloudReading): void {
    const { text } = this;
    const facts = text
      .facts(read)
      .map((fact) =>
        element('div', {}, element('dt', {}, fact.name), element('dd', {}, fact.value)),
      );
    this.facts.replaceChildren(...facts);
    const problem = read.problem && text.problem(read.problem);
    if (!read.cloud.bounds) {
      this.showStatus('');
      this.showProblem(problem ?? l10n.t('The file has no points with a position.'));
      return;
    }
    // The status is only for screen readers, because the facts show the same information visually.
    this.status.classList.add('visually-hidden');
    this.showStatus(text.shown(read));
    if (problem !== undefined) {
      this.showProblem(l10n.t('Only part of the point cloud is shown. {0}', problem));
    }
    this.display.show(l10n.t('Point cloud {0}', name), library, read.cloud);
  }

  private showStatus(message: string): void {
    if (this.status.textContent !== message) this.status.textContent = message;
  }

  private showProblem(message: string, retry?: () => void): void {
    this.problem.replaceChildren(message);
    if (retry) {
      const again = (): void => {
        this.problem.hidden = true;
        retry();
      };
      this.problem.append(toolButton(l10n.t('Redraw'), again, { focusKey: 'cloud retry' }));
    }
    this.problem.hidden = false;
  }

  private wordsFor(error: unknown): string {
    if (CloudFileError.is(error)) return this.text.problem(error.problem);
    return l10n.t(
      "Couldn't show the point cloud: {0}",
      error instanceof Error ? error.message : String(error),
    );
  }
}

/** Loads, on demand, the script that draws point clouds. */
class CloudScript {
  private loading: Promise<CloudLibrary> | undefined;

  constructor(private readonly uri: string) {}

  /**
   * Loads the script unless it is already loaded.
   * @throws Error if the script couldn't be loaded. The next call tries again.
   */
  load(): Promise<CloudLibrary> {
    this.loading ??= this.start();
    return this.loading;
  }

  private async start(): Promise<CloudLibrary> {
    try {
      if (!loaded()) await runScript(this.uri);
      const library = loaded();
      if (!library) throw new Error('The script for point clouds has changed.');
      return library;
    } catch (error) {
      this.loading = undefined;
      throw error;
    }
  }
}

function loaded(): CloudLibrary | undefined {
  const found: unknown = Reflect.get(globalThis, cloudLibraryKey);
  return isLibrary(found) ? found : undefined;
}

function isLibrary(value: unknown): value is CloudLibrary {
  return typeof value === 'object' && value !== null && 'read' in value && 'createViewer' in value;
}

/** Runs a script with the nonce that the page's content security policy allows. */
function runScript(uri: string): Promise<void> {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  const script = document.createElement('script');
  script.nonce = nonce;
  script.src = uri;
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error('The script for point clouds was not loaded.'));
    });
    document.head.append(script);
  });
}
