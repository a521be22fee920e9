-- Sends the form of signing in, each time with another name and a wrong password.

local tried = 0

function request()
  tried = tried + 1
  local headers = {
    ["Content-Type"] = "application/x-www-form-urlencoded",
    ["Sec-Fetch-Site"] = "same-origin",
  }
  return wrk.format("POST", nil, headers, "login=guess_" .. tried .. "&password=wrong+password")
end
