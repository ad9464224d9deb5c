import { type CloudLibrary, cloudLibraryKey } from './cloudViewer';

/** Loads the script that draws point clouds when it is first needed. */
export class CloudScript {
  private loading: Promise<CloudLibrary> | undefined;

  constructor(private readonly uri: string) {}

  /** @throws Error when the script could not be loaded; another call tries again */
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

/** The page's policy lets scripts run that bear its nonce. */
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
