/** URI schemes of the documents this extension serves. */
export const schemes = {
  document: 'fleetwright',
} as const;
