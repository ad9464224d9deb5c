import {
  Checkbox,
  ProgressRing,
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
  preserveLabels(Checkbox.prototype);
  preserveLabels(ProgressRing.prototype);
  provideVSCodeDesignSystem()
    .withPrefix('fleetwright')
    .register(vsCodeButton(), vsCodeCheckbox(), vsCodeProgressRing());
}

/**
 * Preserves the labels with which a class's elements were created. Otherwise, the component set
 * would replace an element's label with English text when the element is inserted.
 */
function preserveLabels(prototype: HTMLElement & { connectedCallback(): void }): void {
  const original = Object.getOwnPropertyDescriptor(prototype, 'connectedCallback');
  const connect = original?.value as (this: HTMLElement) => void;
  prototype.connectedCallback = function (this: HTMLElement): void {
    const label = this.getAttribute('aria-label');
    connect.call(this);
    if (label !== null) this.setAttribute('aria-label', label);
  };
}
