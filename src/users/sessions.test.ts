import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";
import * as sessions from "./sessions.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const DEVICE = { network: "203.0.113.0/24", browser: "Firefox" };
