import '../../../webview/messaging/loadTranslations';
import { CloudStage } from '../../../webview/data/clouds/cloudStage';

/** Functions that the page of a cloud stage provides to tests. */
export interface CloudStageApp {
  readonly stage: CloudStage;
  /** Creates a new stage in the page, as if the details of another item were opened. */
  renew(options: { readonly maxPoints?: number }): void;
  /** Shows a file from its base64-encoded contents. */
  show(name: string, file: string): Promise<void>;
}

const ownUrl = document.querySelector<HTMLScriptElement>('script[src]')?.src;
const root = document.getElementById('app');
root?.style.setProperty('display', 'flex');
root?.style.setProperty('height', '100vh');

class StageApp implements CloudStageApp {
  private current: CloudStage | undefined;

  get stage(): CloudStage {
    if (!this.current) throw new Error("The stage yet doesn't exist.");
    return this.current;
  }

  renew(options: Parameters<CloudStageApp['renew']>[0]): void {
    this.current?.dispose();
    const scriptUri = new URL('pointCloud.js', ownUrl).href;
    this.current = new CloudStage({ locale: 'en-US', scriptUri, ...options });
    root?.append(this.current.element);
  }

  async show(name: string, file: string): Promise<void> {
    const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
    await this.stage.show({ name }, bytes.buffer);
  }
}

const app: CloudStageApp = new StageApp();
Object.assign(window, { cloudStageApp: app });
