import type { CloudStrings } from '../../../src/shared/data/cloudStrings';
import { element, toolButton } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/format';
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
  readonly strings: CloudStrings;
  /** A language tag that the browser supports; undefined for the browser's own language. */
  readonly locale: string | undefined;
  /** URI of the script that draws clouds. */
  readonly scriptUri: string;
  /** Maximum number of points; larger clouds are sampled evenly. The default is one million. */
  readonly mostPoints?: number;
}

/** Shows a point cloud and, as text, information about it. */
export class CloudStage {
  readonly element: HTMLElement;
  private readonly strings: CloudStrings;
  private readonly text: CloudFormatter;
  private readonly script: CloudScript;
  private readonly mostPoints: number;
  private readonly status = element('div', { class: 'cloud-status', role: 'status' });
  private readonly problem = element('div', { class: 'cloud-problem', role: 'alert' });
  private readonly facts: HTMLElement;
  private readonly display: CloudDisplay;
  private reading: AbortController | undefined;

  constructor({ strings, locale, scriptUri, mostPoints = MAX_POINTS }: CloudStageOptions) {
    this.mostPoints = mostPoints;
    this.strings = strings;
    this.text = new CloudFormatter(strings, locale);
    this.script = new CloudScript(scriptUri);
    this.display = new CloudDisplay(strings, this.text, (message, retry) => {
      this.showProblem(message, retry);
    });
    this.facts = element('dl', {
      class: 'cloud-facts',
      id: 'cloud-facts',
      'aria-label': strings.facts.label,
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
          this.showStatus(fillPlaceholders(this.strings.reading, this.text.percentage(part)));
        }
      };
      const read = await library.read(bytes, { limit: this.mostPoints, signal, onProgress });
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
    this.showStatus(this.strings.loading);
  }

  private async load(): Promise<CloudLibrary> {
    try {
      return await this.script.load();
    } catch (error) {
      throw new Error(this.strings.noScript, { cause: error });
    }
  }

  private present(name: string, library: CloudLibrary, read: CloudReading): void {
    const { strings, text } = this;
    const facts = text
      .facts(read)
      .map((fact) =>
        element('div', {}, element('dt', {}, fact.name), element('dd', {}, fact.value)),
      );
    this.facts.replaceChildren(...facts);
    const problem = read.problem && text.problem(read.problem);
    if (!read.cloud.bounds) {
      this.showStatus('');
      this.showProblem(problem ?? strings.noPoints);
      return;
    }
    // The status is only for screen readers, because the facts show the same information visually.
    this.status.classList.add('visually-hidden');
    this.showStatus(text.shown(read));
    if (problem !== undefined) this.showProblem(fillPlaceholders(strings.partly, problem));
    this.display.show(fillPlaceholders(strings.view, name), library, read.cloud);
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
      this.problem.append(toolButton(this.strings.retry, again, { focusKey: 'cloud retry' }));
    }
    this.problem.hidden = false;
  }

  private wordsFor(error: unknown): string {
    if (CloudFileError.is(error)) return this.text.problem(error.problem);
    return fillPlaceholders(
      this.strings.failed,
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
   * @throws Error if the script couldn't be loaded; another call retries
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
