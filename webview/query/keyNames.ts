const isMac = navigator.userAgent.includes('Mac');

/** Names of the panel's keys, as shown to users. */
export const keyNames = {
  run: isMac ? '⌘Enter' : 'Ctrl+Enter',
  runSelection: isMac ? '⇧⌘Enter' : 'Ctrl+Shift+Enter',
  cancel: isMac ? '⇧Esc' : 'Shift+Esc',
  complete: isMac ? '⌃Space' : 'Ctrl+Space',
} as const;
