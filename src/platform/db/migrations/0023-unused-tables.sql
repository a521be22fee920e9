-- contract in 0.2.0

drop table former_addresses, known_browsers;
