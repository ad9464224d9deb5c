/** Query languages of files and notebook cells, by VS Code language ID. */
export const languages = {
  sql: { id: 'fleet-sql', extension: '.fleet.sql' },
  mql: { id: 'fleet-mql', extension: '.mql.json' },
} as const;
