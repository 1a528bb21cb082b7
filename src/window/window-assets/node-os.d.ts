/** The only module of Node behind the types that these scripts share with the program. The scripts themselves load no module of Node. */
declare module 'node:os' {
  export function platform(): string
}
