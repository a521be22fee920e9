-- contract

drop table former_addresses, known_browsers;
