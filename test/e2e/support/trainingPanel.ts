import type { FrameLocator, Locator, Page } from 'playwright-core';
import { uiText } from './texts';

/** The active training panel. */
export class TrainingPanel {
  private readonly frame: FrameLocator;

  constructor(page: Page) {
    this.frame = page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  /**
   * Returns the line of a job, such as `cartons 0.1.0`, optionally in a state, such as `Running`.
   */
  job(model: string, version: string, status?: string): Locator {
    const row = this.frame
      .getByRole('option')
      .filter({ has: this.frame.locator('.job-model', { hasText: model }) })
      .filter({ has: this.frame.locator('.job-version', { hasText: version }) });
    return status === undefined
      ? row
      : row.filter({ has: this.frame.locator('.job-status', { hasText: status }) });
  }

  /** Returns the element with this text in the details of the selected job. */
  text(text: string | RegExp): Locator {
    return this.frame.locator('.job-view').getByText(text).first();
  }

  /** The reason why the selected job failed. */
  get error(): Locator {
    return this.frame.getByRole('region', { name: uiText('failureReason') });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }
}
