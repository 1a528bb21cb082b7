import type { PostgresSchema } from '../../postgres/schema.ts'

/** The SQL statements that create and change the inbox's tables in PostgreSQL, oldest first. A released statement is never edited. */
export const INBOX_SCHEMA: PostgresSchema = {
  schema: 'bnpl_inbox',
  steps: [
    `CREATE TABLE destinations (
       id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       name text NOT NULL UNIQUE
     );
     -- One row for each connection that receives. The connection holds the lock of its number until it ends.
     CREATE SEQUENCE receiver_numbers AS integer;
     CREATE TABLE receivers (
       id integer PRIMARY KEY,
       pid integer NOT NULL,
       address text NOT NULL,
       since timestamptz NOT NULL DEFAULT now(),
       emitted_up_to bigint NOT NULL DEFAULT 0
     );
     CREATE SEQUENCE event_numbers;
     CREATE TABLE events (
       seq bigint PRIMARY KEY,
       destination integer NOT NULL,
       scheme text NOT NULL,
       fate text NOT NULL,
       event_id text,
       event text,
       odd text,
       variant_of bigint,
       body bytea NOT NULL,
       content_type text,
       signature text,
       received_at bigint NOT NULL,
       -- The receiver that emits the event, and the event's place in the order of that receiver.
       receiver integer NOT NULL,
       place bigint NOT NULL
     );
     CREATE INDEX events_to_emit ON events (receiver, place) WHERE fate = 'new';
     CREATE INDEX variants ON events (variant_of) WHERE variant_of IS NOT NULL;
     CREATE TABLE seen (
       key text PRIMARY KEY,
       seq bigint NOT NULL,
       body_hash text NOT NULL
     );
     CREATE TABLE forwards (
       seq bigint PRIMARY KEY,
       destination integer NOT NULL,
       state text NOT NULL,
       attempts integer NOT NULL DEFAULT 0,
       status integer,
       error text,
       ms integer,
       at bigint
     );
     CREATE INDEX forwards_open ON forwards (destination, seq) WHERE state IN ('waiting', 'retrying');
     CREATE TABLE facts (
       name text PRIMARY KEY,
       value text NOT NULL
     );`,
    `CREATE TABLE confirmations (
       seq bigint PRIMARY KEY,
       agrees boolean NOT NULL,
       differences text NOT NULL,
       at bigint NOT NULL
     )`,
    'CREATE INDEX events_by_time ON events (received_at)',
    'ALTER TABLE forwards ADD COLUMN answer text',
  ],
}

/** The first number of the advisory locks, which says what is locked. The second number is that of the receiver or destination. */
export const LOCKS = { receiver: 0x626e7031, destination: 0x626e7032 } as const

export const INBOX_CHANNEL = 'bnpl_inbox'
