import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeProgressRing,
} from '@vscode/webview-ui-toolkit';

/**
 * Tag names of the elements that apps can use. A replacement component set must use the same names.
 */
export const elementNames = {
  button: 'fleetwright-button',
  checkbox: 'fleetwright-checkbox',
  progressRing: 'fleetwright-progress-ring',
} as const;

/** Defines the custom elements, whose styles come from the VS Code theme. */
export function defineElements(): void {
  provideVSCodeDesignSystem()
    .withPrefix('fleetwright')
    .register(vsCodeButton(), vsCodeCheckbox(), vsCodeProgressRing());
}
