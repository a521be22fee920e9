-- Walks a list of addresses from a given place on, and prints the figures of the round for wrk.ts.
-- Arguments: file with one address a line, place to start at, expected status, "every" to check each answer.

local thread

function setup(started)
  thread = started
end

function init(args)
  local requests = {}
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
  local first = tonumber(args[2])
  local expected = tonumber(args[3])
  asked, unexpected, example = 0, 0, 0
  request = function()
    local place = (first + asked) % #requests + 1
    asked = asked + 1
    return requests[place]
  end
  -- wrk hands over the whole answer to this function, which takes time: it exists only when wanted.
  if args[4] == "every" then
    response = function(status)
      if status ~= expected then
        unexpected = unexpected + 1
        example = status
      end
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  local function write(name, value)
    io.write(string.format("%s %d\n", name, value))
  end
  write("asked", thread:get("asked"))
  write("answers", summary.requests)
  write("microseconds", summary.duration)
  write("bytes", summary.bytes)
  write("missing", errors.connect + errors.read + errors.write + errors.timeout)
  write("refused", errors.status)
  write("unexpected", thread:get("unexpected"))
  write("example", thread:get("example"))
  for place = 1, #latency do
    local microseconds, count = latency(place)
    io.write(string.format("latency %d %d\n", microseconds, count))
  end
end
