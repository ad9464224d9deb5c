import type { Locator } from 'playwright-core';
import { succeeds } from './appears';
import { until } from './until';

const FILL_TIMEOUT_MS = 5_000;

/**
 * Replaces the text in an input and checks the result. Sets the value in one step: Playwright's
 * `fill` focuses the input before it inserts the text, and if VS Code moves the focus to an editor
 * in the meantime, the text ends up in the document.
 */
export async function fillIn(input: Locator, text: string): Promise<void> {
  await until(`"${text}" is typed`, async () => {
    const isFilled = input.evaluate(setValue, text, { timeout: FILL_TIMEOUT_MS });
    if (!(await succeeds(isFilled))) return false;
    // The input can be removed in the meantime.
    const value = input.inputValue({ timeout: FILL_TIMEOUT_MS }).catch(() => undefined);
    return (await value) === text;
  });
}

function setValue(element: HTMLElement | SVGElement, text: string): void {
  const input = element as HTMLInputElement | HTMLTextAreaElement;
  input.focus();
  input.value = text;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
