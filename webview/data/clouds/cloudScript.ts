import { type CloudLibrary, cloudLibraryKey } from './cloudViewer';

/** Loads, on demand, the script that draws point clouds. */
export class CloudScript {
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
